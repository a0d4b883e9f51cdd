"""Looks for the reasons why a training run does not learn: in its samples, its nets and its reports."""
