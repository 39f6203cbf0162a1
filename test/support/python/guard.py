"""Runs a command, and ends its whole process group when standard input closes.

vLLM has three processes. Whatever becomes of the process that started this one, its end of the pipe
closes with it, so that no server outlives a test run. Start this as the leader of its own group.
"""

import os
import signal
import subprocess
import sys
import threading

command = subprocess.Popen(sys.argv[1:], stdin=subprocess.DEVNULL)


def stop_when_input_closes():
    sys.stdin.buffer.read()
    command.terminate()
    try:
        command.wait(timeout=20)
    except subprocess.TimeoutExpired:
        kill_group()


def kill_group():
    """This process is of the group too, so that nothing follows."""
    sys.stdout.flush()
    os.killpg(0, signal.SIGKILL)


threading.Thread(target=stop_when_input_closes, daemon=True).start()
print(f"The server ended with {command.wait()}.")
kill_group()
