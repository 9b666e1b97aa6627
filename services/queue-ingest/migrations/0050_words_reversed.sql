-- Why: a word that is misspelt at its beginning is found by its end, as one that is misspelt at its end is by its beginning.
create index searched_words_reversed on searched_words (reverse(word));
