-- Why: version 3 of the score states a chance, and /investable answers requests below the score that it asks for by default.

alter table scores
  -- The chance of built or advancing; null under versions before 3.
  add column p_built float8,
  -- Investable but for its score; null of a row that is not computed again yet.
  add column eligible boolean;
