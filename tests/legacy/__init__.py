"""Earlier stores: made with the faults that such files have, brought, compared and taken out."""
