"""The arbiter: questions to it, and a function for each from its facts to a judgement."""
