"""The HTML report: one file that opens offline, with everything about some runs in it.

`collect.py` takes from the dataset what is shown, `maps.py` draws stored states, `page.py` puts the file together
from `assets/`. Everything that comes from a run is compressed and encoded as base64 in the file and put on the page
as text only; a content security policy allows the page's own script and nothing else.
"""

from __future__ import annotations
