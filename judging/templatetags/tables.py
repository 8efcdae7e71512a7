"""Tags for the lists on console pages, and for the entries of a `dl` with the class `facts`."""

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

from judging.core.pages.page_table import ShownTable

register = template.Library()


@register.simple_block_tag
def table(content: SafeString, shown: ShownTable) -> SafeString:
    """Show a list with its filter, headings, rows and pages.

    If the list is empty, show the content of the tag: `{% table topics %}No topics yet.{% endtable %}`.
    """
    return render_to_string("core/_table.html", {"table": shown, "form": shown.form, "empty": content})


@register.simple_block_tag
def fact(content: SafeString, name: str) -> SafeString:
    """Show a value with its name: `{% translate "Open" as open %}{% fact open %}{{ n }}{% endfact %}`."""
    return format_html("<div><dt>{}</dt><dd>{}</dd></div>", name, content)
