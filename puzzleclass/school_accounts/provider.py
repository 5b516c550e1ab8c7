"""The module in which allauth looks for the providers of an app."""

from puzzleclass.school_accounts.openid import SchoolProvider

provider_classes = [SchoolProvider]
