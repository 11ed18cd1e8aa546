"""What runs inside the child process. Imported by the parent only to be packed into the bundle."""
