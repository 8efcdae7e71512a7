"""The tables and figures of [ZY10]: Zhou & Yao, 2010."""
