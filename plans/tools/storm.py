"""Storm about a model of PRISM: storm.py MODEL PROPERTY, with the package stormpy."""

import sys

import stormpy

program = stormpy.parse_prism_program(sys.argv[1])
asked = stormpy.parse_properties(sys.argv[2], program)
model = stormpy.build_model(program, asked)
print(f"{model.nr_states} states, {model.nr_transitions} transitions")
result = stormpy.model_checking(model, asked[0])
result.filter(stormpy.create_filter_initial_states(model))
print("VERDICT", "holds" if result.forall_true() else "violated")
