"""What pages of the console are made of: lists, and facts of a `dl` of the class `facts`."""

from django import template
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

from judging.core.pages.tables import ShownTable

register = template.Library()


@register.simple_block_tag
def table(content: SafeString, shown: ShownTable) -> SafeString:
    """Show a list with its filter, headings, rows and pages; the content of the tag if it is empty:

    `{% table topics %}what stands there without a row{% endtable %}`
    """
    return render_to_string("core/_table.html", {"table": shown, "form": shown.form, "empty": content})


@register.simple_block_tag
def fact(content: SafeString, name: str) -> SafeString:
    """Show a fact by its name: `{% fact "Open" %}{{ units.open }}{% endfact %}`."""
    return format_html("<div><dt>{}</dt><dd>{}</dd></div>", name, content)
