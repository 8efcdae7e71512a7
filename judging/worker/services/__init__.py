"""The actions of workers: arrive, practise, judge and leave."""
