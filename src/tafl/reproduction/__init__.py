"""The reproduction of the paper's results: numbers and pictures from stored runs."""
