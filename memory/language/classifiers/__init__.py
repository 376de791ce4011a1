"""What the trained classifiers say of a sentence, or of two: probabilities, and what follows."""
