from hypothesis import settings

# The same examples on every machine, however slow it is: a failure here is a failure anywhere.
settings.register_profile("ci", deadline=None, derandomize=True)
settings.load_profile("ci")
