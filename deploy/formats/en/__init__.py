"""English, as it is read without a doubt in every country."""
