"""Running an instance: settings, the server and its processes, metrics, the log as lines of JSON."""
