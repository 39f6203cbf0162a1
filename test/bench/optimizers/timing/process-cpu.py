"""Runs one command and prints what its whole process cost, from start to exit.

The kernel's account of the ended process, which the process itself cannot see in full. Prints a
JSON line: its exit code, user and system CPU time in milliseconds, and its output.
"""

import json
import os
import subprocess
import sys

child = subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE)
output = child.stdout.read().decode()
_, status, usage = os.wait4(child.pid, 0)
print(
    json.dumps(
        {
            "code": os.waitstatus_to_exitcode(status),
            "cpuMs": (usage.ru_utime + usage.ru_stime) * 1000,
            "output": output,
        }
    )
)
