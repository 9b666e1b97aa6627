-- Why: bodies that were made before have the new field too.

update projects set body = replace(body, '"summer_mw":', '"components":[],"summer_mw":') where body not like '%"components":%';
