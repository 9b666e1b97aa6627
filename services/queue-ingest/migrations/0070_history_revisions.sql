-- Why: states of requests and lists are published as what is known of them now; of two such events the one with the higher number is the newer.

create sequence history_revisions;
