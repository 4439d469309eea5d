import Testing

/// Programs with windows, one test after the other: each has an X server of its own.
@Suite(.serialized) enum WindowTests {}
