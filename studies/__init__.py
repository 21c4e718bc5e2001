"""The laboratory beside the package: studies that answer our own questions with tafl's public API.

    python -m studies              list all studies
    python -m studies NAME run     train and measure what is not stored yet
    python -m studies NAME report  write the study's pages and pictures from its stored results
    python -m studies all report   write the pages of all studies

A study is a folder with files of fixed names:

    plan.toml      which games, settings and seeds (where that is data)
    run.py         main(arguments): trains and measures; stores each measurement as it ends
    report.py      write(docs): pages and pictures from results.jsonl alone; returns their paths
    page.md        the words of its page, with a place for each table and number
    results.jsonl  one measurement per line (studies/records.py)

studies/make/ has programs that make data files of the package: python -m studies.make.NAME.
"""
