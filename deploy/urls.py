"""All URLs of the site."""

from django.contrib import admin
from django.templatetags.static import static
from django.urls import include, path
from django.views.generic import RedirectView, TemplateView

from judging.platforms.prolific import pages as prolific
from judging.site.health import healthz, readyz
from judging.site.metrics import metrics

urlpatterns = [
    # Browsers request this URL even if no page mentions it.
    path("favicon.ico", RedirectView.as_view(url=static("plumbline.svg")), name="favicon.ico"),
    path(
        "",
        TemplateView.as_view(template_name="site/home.html", http_method_names=["get", "head"]),
        name="home",
    ),
    path("s/<slug:slug>/", include("judging.worker.urls")),
    path("hooks/prolific/", prolific.messages, name="prolific-messages"),
    path("console/", include("judging.site.urls")),
    path("api/v1/", include("judging.api.urls")),
    path("admin/", admin.site.urls),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
]
handler500 = "judging.core.pages.errors.fault"
