"""What workers do: arrive, practise, judge, leave."""
