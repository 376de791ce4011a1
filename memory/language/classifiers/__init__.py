"""Trained classifiers of single sentences, and of pairs of texts."""
