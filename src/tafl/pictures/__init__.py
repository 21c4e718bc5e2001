"""Pictures and charts: learning curves and tournaments."""
