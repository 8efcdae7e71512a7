"""Lists of the console: `{% table topics %}what stands there without a row{% endtable %}`."""

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from judging.core.pages.tables import ShownTable

register = template.Library()


@register.simple_block_tag
def table(content: SafeString, shown: ShownTable) -> SafeString:
    """Show a list with its filter, headings, rows and pages; the content of the tag if it is empty."""
    return render_to_string("core/_table.html", {"table": shown, "form": shown.form, "empty": content})
