"""The site under what happens to sites: killed processes, lost servers, full disks, rude clients."""
