"""The HTTP face of the service: thin views over the use cases, and the contract that is made from them."""
