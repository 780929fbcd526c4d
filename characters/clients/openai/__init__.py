"""The endpoint that speaks OpenAI's Chat Completions: any program that knows it can talk to a character."""
