"""Pages of the review queue."""

from django.urls import path

from characters.review import batch_views, history, views

app_name = "review"

urlpatterns = [
    path("", views.queue, name="queue"),
    path("<int:pk>/", views.proposal, name="proposal"),
    path("<int:pk>/approve/", views.approve, name="approve"),
    path("<int:pk>/reject/", views.reject, name="reject"),
    path("<int:pk>/defer/", views.defer, name="defer"),
    path("<int:pk>/reserve/", views.reserve, name="reserve"),
    path("<int:pk>/release/", views.release, name="release"),
    path("<int:pk>/consequences/", views.prompts, name="consequences"),
    path("undo/", views.undo_last, name="undo_last"),
    path("bulk/", batch_views.choose, name="choose"),
    path("batches/<int:pk>/", batch_views.batch, name="batch"),
    path("batches/<int:pk>/do/", batch_views.do, name="do_batch"),
    path("decisions/", history.decisions, name="decisions"),
    path("decisions/<int:pk>/undo/", views.undo, name="undo"),
    path("decisions/batches/<slug:key>/undo/", batch_views.undo, name="undo_batch"),
]
