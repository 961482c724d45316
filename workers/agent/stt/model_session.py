"""A session of the ONNX runtime."""

import onnxruntime

# Two halve the time that a person waits. Other programs need the other cores.
THREADS = 2


def session_of(file):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = THREADS
    options.inter_op_num_threads = 1
    # Threads that spin while they wait take processor time from avatars.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return onnxruntime.InferenceSession(file, options, providers=["CPUExecutionProvider"])
