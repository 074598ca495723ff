"""The lab's page in a real browser, served by a real `topple lab`."""
