"""Lists of the console: `{% table topics %}what stands there without a row{% endtable %}`."""

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from judging.pages.console.tables import ShownTable

register = template.Library()


@register.simple_block_tag
def table(content: SafeString, shown: ShownTable) -> SafeString:
    """Show a list with its filter, headings, rows and pages; the content of the tag if it is empty."""
    return render_to_string("console/_table.html", {"table": shown, "form": shown.form, "empty": content})
