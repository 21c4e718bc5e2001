"""The paper's results, reproduced: every run is stored, every number and picture made from them."""
