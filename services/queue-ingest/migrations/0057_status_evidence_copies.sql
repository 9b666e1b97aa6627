-- Why: bodies that were made before have the new field too.

update projects set body = replace(body, '"status_flag":', '"status_evidence":null,"status_flag":') where body not like '%"status_evidence":%';
