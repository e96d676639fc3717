"""What `make bench` runs: figures to compare with the floor measured in the same run. And `make screenshots`."""
