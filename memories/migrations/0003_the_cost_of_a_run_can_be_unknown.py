from django.db import migrations, models


class Migration(migrations.Migration):
    """Backwards, an unknown cost becomes 0, the field's default."""

    dependencies = [("memories", "0002_lists_stay_quick")]

    operations = [
        migrations.AlterField(
            model_name="run",
            name="cost_usd",
            field=models.DecimalField(decimal_places=6, default=0, max_digits=12, null=True),
        ),
    ]
