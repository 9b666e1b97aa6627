-- Why: bodies that were made before have the new field too: null, until a list states the row again.

update projects set body = replace(body, '"status_flag":', '"status_basis":null,"status_flag":') where body not like '%"status_basis":%';
