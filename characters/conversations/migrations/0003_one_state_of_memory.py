from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.models import Case, Q, Value, When
from django.utils import timezone

STATES = [
    ('none', 'not remembered'),
    ('reflex', 'a reflex'),
    ('greeting', 'a greeting'),
    ('waiting', 'remembered, not examined yet'),
    ('quotable', 'may come back as memory'),
    ('withheld', 'never comes back as memory'),
]
REMEMBERED = ('waiting', 'quotable', 'withheld')


def give_states(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    messages = apps.get_model('conversations', 'Message').objects
    begun = Q(role='assistant', parent=None, quotable=False)
    state = Case(
        When(remembered=False, then=Value('reflex')),
        When(begun, place=None, then=Value('greeting')),
        When(place=None, then=Value('none')),
        When(unexamined=True, then=Value('waiting')),
        When(quotable=True, then=Value('quotable')),
        default=Value('withheld'),
    )
    messages.update(memory=state)
    messages.filter(memory='reflex').exclude(place=None).update(place=None)
    messages.filter(role='user', unread=False, place__isnull=False).update(facts_read_at=timezone.now())


class Migration(migrations.Migration):

    dependencies = [
        ('conversations', '0002_changes_are_noted'),
    ]

    operations = [
        migrations.AddField(
            model_name='message',
            name='memory',
            field=models.CharField(choices=STATES, default='none', max_length=8),
        ),
        migrations.AddField(
            model_name='message',
            name='facts_read_at',
            field=models.DateTimeField(null=True),
        ),
        migrations.RunPython(give_states, migrations.RunPython.noop),
        migrations.RemoveIndex(
            model_name='message',
            name='message_unread',
        ),
        migrations.RemoveIndex(
            model_name='message',
            name='message_unexamined',
        ),
        migrations.RemoveField(
            model_name='message',
            name='remembered',
        ),
        migrations.RemoveField(
            model_name='message',
            name='quotable',
        ),
        migrations.RemoveField(
            model_name='message',
            name='unexamined',
        ),
        migrations.RemoveField(
            model_name='message',
            name='unread',
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(
                condition=Q(('facts_read_at', None), ('place__isnull', False), ('role', 'user')),
                fields=['conversation', 'facts_read_at'],
                name='message_unread',
            ),
        ),
        migrations.AddIndex(
            model_name='message',
            index=models.Index(condition=Q(('memory', 'waiting')), fields=['conversation'], name='message_waiting'),
        ),
        migrations.AddConstraint(
            model_name='message',
            constraint=models.CheckConstraint(
                condition=Q(('memory__in', REMEMBERED), ('place__isnull', False))
                | Q(Q(('memory__in', REMEMBERED), _negated=True), ('place', None)),
                name='remembered_messages_have_a_place',
            ),
        ),
    ]
