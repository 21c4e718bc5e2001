"""Programs that measure the speed of tafl: each is `python -m benchmarks.NAME`, from the root.

    speed        learning, search and starts; writes docs/science/speed.md with the next five
    costs        what the time of learning is spent on
    threads      several threads on one network
    compare      two builds of tafl, in turn
    moves        games with many actions, with and without a list of their moves
    tdl2048      2048 beside TDL2048+, a program in C++
    gpu          learning on a GPU; writes docs/guides/gpu.md and docs/science/gpu.md
    page_speed   pages in a browser; writes the figures of docs/guides/web_page.md
    prefetch     from which size on tables are fetched ahead

What they measure is stored in benchmarks/results (store.py).
"""
