"""The tag that shows a chart."""

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from judging.core.pages.charts import Chart

register = template.Library()


@register.simple_tag
def chart(chart: Chart) -> SafeString:
    """Show a chart: its title, an empty box in which a script draws the picture, and the table of numbers."""
    return render_to_string("core/_chart.html", {"chart": chart})
