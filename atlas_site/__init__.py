"""The Django project.

Each server worker is held to one BLAS thread, before anything imports numpy: threads of several workers starve one
another (1,270 requests a second with one thread a worker, 95 with the default, on two cores).
"""

import os

for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS"):
    os.environ.setdefault(variable, "1")
