"""How those who run the site see how it does: readiness, figures, the doctor."""
