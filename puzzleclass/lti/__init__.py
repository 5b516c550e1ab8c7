"""Learning platforms that open the site from a course: LTI 1.3 Advantage, with PyJWT."""
