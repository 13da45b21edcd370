// Every form that writes is sent from here, and waits in the phone until the server has said that it has it.
