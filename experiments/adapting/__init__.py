"""`--adapt`: players learn the rules that they play by before two of them are compared or a contract is checked."""
