"""What the documentation site adds to docs/: pages that are kept elsewhere, and the links to them.

The texts keep the links that work where they are kept; here each is turned into one of the site.
"""

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[2]
# A file of the repository -> the page or file of the site.
ELSEWHERE = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "SECURITY.md": "reporting.md",
    "CHANGELOG.md": "changes.md",
    "benchmarks/README.md": "running-benchmarks.md",
    "training/README.md": "training.md",
    "clients/python/README.md": "python-client.md",
    "tests/talk/README.md": "told-conversations.md",
    "memory/language/reader/MODEL_CARD.md": "reader-model-card.md",
    "LICENSE": "licence.txt",
    "static/favicon.svg": "favicon.svg",
    "static/icons/icon-192.png": "icon.png",
}
SOURCES = {page: source for source, page in ELSEWHERE.items()}
LINK = re.compile(r"(?<=\]\()(?![a-z]+:|#|/)([^)#\s]+)|(?<= src=\")(?![a-z]+:)([^\"]+)")


def on_files(files: Files, config: Any) -> Files:
    """Add the files that are kept elsewhere."""
    for source, page in ELSEWHERE.items():
        files.append(File.generated(config, page, abs_src_path=str(ROOT / source)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turn each link between files of the repository into one between pages of the site."""
    uri = page.file.src_uri
    source = SOURCES.get(uri, f"docs/{uri}")

    def turned(match: re.Match[str]) -> str:
        target = posixpath.normpath(posixpath.join(posixpath.dirname(source), match[0]))
        goal = ELSEWHERE.get(target, target.removeprefix("docs/"))
        return posixpath.relpath(goal, posixpath.dirname(uri) or ".")

    return LINK.sub(turned, markdown)
