"""The games of beating: attack, beat or pick up, shed all cards; whoever keeps some has lost."""
