# What the targets do is said beside each; `make` alone lists them.

SWIFT ?= swift
# Passed on as they are: make demo DEMO_FLAGS='--limit 20000', make bench BENCH_FLAGS='--workload insert-50k'.
DEMO_FLAGS ?=
TEST_FLAGS ?=
BENCH_FLAGS ?=
# `make counts COUNTS_FLAGS=--renew` makes what it counts the thresholds.
COUNTS_FLAGS ?=
# How much `make simulate-sync` tries, and from which seed on: make simulate-sync SIMULATE_SCHEDULES=1 SIMULATE_FLAGS=42.
SIMULATE_SCHEDULES ?= 2000
# In memory where there is a gigabyte of it for files: what is lost with the machine is nothing here.
SIMULATE_FOLDER := $(shell test "$$(df -Pk /dev/shm 2>/dev/null | awk 'NR == 2 { print $$4 }')" -gt 1000000 2>/dev/null \
  && echo /dev/shm || echo "$${TMPDIR:-/tmp}")
SIMULATE_FLAGS ?=
# How much `make soak` tries: random predicates, edits of a random graph, interleavings of writers and observers, schedules of
# synced devices.
SOAK_CASES ?= 100000
SOAK_STEPS ?= 200000
SOAK_INTERLEAVINGS ?= 10000
SOAK_SCHEDULES ?= 200000
# So many of the clients, and as many of the server.
SOAK_KILLS ?= 300

BUILD := .build
FLIGHTS := Examples/Flights
# The packages inside the repository build into its folder too: each would build swift-syntax anew in one of its own.
IN_FLIGHTS := --package-path $(FLIGHTS) --scratch-path $(CURDIR)/$(BUILD)
IN_MACROS := --package-path Tests/Macros --scratch-path $(CURDIR)/$(BUILD)
IN_PROGRAMS := --package-path Tests/Programs --scratch-path $(CURDIR)/$(BUILD)
# Built into a folder of its own: it has the traits on, which the other packages' build of the same targets has not.
IN_SYNC := --package-path Tests/SyncHTTP --scratch-path $(CURDIR)/$(BUILD)/sync
IN_SYNC_EXAMPLES := --package-path Examples/Sync --scratch-path $(CURDIR)/$(BUILD)/sync
# Beside the encrypted tests, as both have swift-crypto, which takes longer than all else of it.
IN_VAULT := --package-path Tests/Vault --scratch-path $(CURDIR)/$(BUILD)/encrypted
IN_SWIFTUI := --package-path Tests/SwiftUI --scratch-path $(CURDIR)/$(BUILD)
# Optimised programs use the plug-in for the compiler that debug builds do, and build into a folder without one.
OPTIMISED := rm -f $(BUILD)/optimised/*/*/description.json && ROOST_PLUGIN=1 $(SWIFT)
IN_OPTIMISED := -c release --scratch-path $(CURDIR)/$(BUILD)/optimised
# So do those with AddressSanitizer, which would take Swift's own caches for leaks.
SANITIZED := rm -f $(BUILD)/sanitized/*/*/description.json && ROOST_PLUGIN=1 ASAN_OPTIONS=detect_leaks=0 \
  SWIFT_BACKTRACE=enable=no $(SWIFT)
IN_SANITIZED := -c release --sanitize=address --package-path Tests/Memory --scratch-path $(CURDIR)/$(BUILD)/sanitized
# `ENCRYPTED_AS=debug` has the encrypted programs unoptimised, beside the encrypted tests: CI looks at whether they work.
ENCRYPTED_AS ?= release
ENCRYPTED_BUILD := $(BUILD)/$(if $(filter debug,$(ENCRYPTED_AS)),,optimised-)encrypted
BUILD_ENCRYPTED := rm -f $(ENCRYPTED_BUILD)/*/*/description.json && ROOST_PLUGIN=1 $(SWIFT)
AS_ENCRYPTED := -c $(ENCRYPTED_AS) --scratch-path $(CURDIR)/$(ENCRYPTED_BUILD)
IN_ENCRYPTED_BENCHMARKS := $(AS_ENCRYPTED) --package-path Benchmarks/Encrypted
IN_ENCRYPTED_FLIGHTS := $(AS_ENCRYPTED) --package-path $(FLIGHTS) --traits Encrypted
# With SQLCipher in place of SQLite, and a key for every file that has none of its own.
ENCRYPTED := ROOST_PLUGIN=1 ROOST_ENCRYPTS_ALL_TESTS=1 $(SWIFT)
IN_ENCRYPTED := --traits Encryption --scratch-path $(CURDIR)/$(BUILD)/encrypted
ENCRYPTED_REPLAN := rm -f $(BUILD)/encrypted/*/*/description.json
# SwiftPM keeps the plan of the package that it built last in the folder, and may take it for another's.
REPLAN := rm -f $(BUILD)/*/*/description.json
# Every Swift file of ours: a package inside the repository has a build folder of its own, with others' sources.
SOURCES := find Package.swift Sources Plugins Tests Examples Benchmarks Scripts -name '.?*' -prune -o -name '*.swift' -print0

.PHONY: help demo demo-encrypted demo-timings demo-sync simulate-sync test test-sync test-encrypted test-vault bench bench-encrypted bench-sync bench-growth bench-threads bench-latency bench-memory build-benchmarks build-plain-benchmarks build-encrypted-benchmarks build-simulator counts compile-time compile-failures sanitize soak format lint docs

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1|\2/p' Makefile | column -t -s '|'

demo: ## import a year of flights, query it, watch it change (first 3 min, then seconds)
	@Scripts/install-dependencies sqlite shell data
	@$(REPLAN)
	@data=$$($(FLIGHTS)/Scripts/fetch-flights-data) && plugin=$$(Scripts/build-plugin) && \
	$(OPTIMISED) run $(IN_OPTIMISED) --package-path $(FLIGHTS) $$plugin flights --data "$$data" $(DEMO_FLAGS)

demo-encrypted: ## the same on an encrypted database, whose key is in a vault as a desktop has it (first 5 min, then seconds)
	@Scripts/install-dependencies sqlcipher shell data secrets
	@data=$$($(FLIGHTS)/Scripts/fetch-flights-data) && plugin=$$(Scripts/build-plugin) && \
	session=$$([ "$$(uname)" = Darwin ] || echo Scripts/with-secret-service) && \
	$(BUILD_ENCRYPTED) build $(IN_ENCRYPTED_FLIGHTS) $$plugin --product flights && \
	$$session $(ENCRYPTED_BUILD)/$(ENCRYPTED_AS)/flights --data "$$data" --encrypted $(DEMO_FLAGS)

demo-timings: ## the demo, with the time that the sqlite3 shell takes for the same import
	@$(MAKE) demo DEMO_FLAGS='--timings $(DEMO_FLAGS)'

test: ## all tests, those of the demo, of SwiftUI's views, of sync by HTTP, of secrets and of programs that import SwiftData alone included (first 16 min, then 5)
	@Scripts/install-dependencies sqlite shell
	@$(REPLAN)
# Swift 6.3.1's compiler crashes now and then, in LLVM, on files with many models. What it has compiled stays.
	$(SWIFT) build --build-tests || $(SWIFT) build --build-tests
	$(SWIFT) test $(TEST_FLAGS)
	@$(REPLAN)
	$(SWIFT) test $(IN_MACROS) $(TEST_FLAGS)
	@$(REPLAN)
	$(SWIFT) test $(IN_FLIGHTS) $(TEST_FLAGS)
	@$(REPLAN)
	$(SWIFT) build --build-tests $(IN_PROGRAMS) || $(SWIFT) build --build-tests $(IN_PROGRAMS)
	$(SWIFT) test $(IN_PROGRAMS) $(TEST_FLAGS)
	@$(REPLAN)
	$(SWIFT) test $(IN_SWIFTUI) $(TEST_FLAGS)
	@$(MAKE) test-sync
	@$(MAKE) test-vault

test-sync: ## the tests of sync by HTTP, with its server (first 7 min, then 1)
	@Scripts/install-dependencies sqlite
	@plugin=$$(Scripts/build-plugin) && ROOST_PLUGIN=1 $(SWIFT) test $(IN_SYNC) $$plugin $(TEST_FLAGS)

test-encrypted: ## the package's own tests once more, with SQLCipher and every file encrypted (first 10 min, then 5)
	@Scripts/install-dependencies sqlcipher shell
	@$(ENCRYPTED_REPLAN)
	@plugin=$$(Scripts/build-plugin) && for attempt in 1 2; do \
	  $(ENCRYPTED) build --build-tests $(IN_ENCRYPTED) $$plugin && break || test $$attempt = 1 || exit 1; done && \
	  $(ENCRYPTED) test $(IN_ENCRYPTED) $$plugin $(TEST_FLAGS)

test-vault: ## the tests of secrets, in a desktop's session of their own (first 3 min, then seconds)
	@Scripts/install-dependencies secrets
	@$(ENCRYPTED_REPLAN)
	$(SWIFT) build --build-tests $(IN_VAULT)
	@session=$$([ "$$(uname)" = Darwin ] || echo Scripts/with-secret-service) && \
	$$session $(SWIFT) test --skip-build $(IN_VAULT) $(TEST_FLAGS)

simulate-sync: build-simulator ## devices that are synced, for SIMULATE_SCHEDULES schedules (first 10 min, then 7; SIMULATE_FLAGS is a seed)
	@SWIFT_DETERMINISTIC_HASHING=1 TMPDIR="$(SIMULATE_FOLDER)" \
	  $(BUILD)/optimised/release/SyncSimulator $(SIMULATE_SCHEDULES) $(SIMULATE_FLAGS)

build-simulator:
	@Scripts/install-dependencies sqlite
	@plugin=$$(Scripts/build-plugin) && $(OPTIMISED) build $(IN_OPTIMISED) $$plugin --product SyncSimulator

demo-sync: ## a server and two programs that share flights: one goes offline, both edit, it comes back (first 7 min, then seconds)
	@Scripts/install-dependencies sqlite
	@rm -f $(BUILD)/sync/*/*/description.json
	@plugin=$$(Scripts/build-plugin) && ROOST_PLUGIN=1 $(SWIFT) run $(IN_SYNC_EXAMPLES) $$plugin sync-demo

bench-sync: ## what syncing takes, as a table and as .build/bench-sync.json (first 15 min, then 2)
	@Scripts/install-dependencies sqlite
	@rm -f $(BUILD)/sync/*/*/description.json
	@plugin=$$(Scripts/build-plugin) && \
	ROOST_PLUGIN=1 $(SWIFT) run -c release $(IN_SYNC_EXAMPLES) $$plugin sync-bench $(BENCH_FLAGS)

bench: ## the benchmarks, as a table and as .build/bench.json (25 min; 12 with 7 rounds)
	@Scripts/install-dependencies sqlite
	@plugin=$$(Scripts/build-plugin) && \
	$(OPTIMISED) run $(IN_OPTIMISED) --package-path Benchmarks $$plugin roost-bench $(BENCH_FLAGS)

bench-encrypted: ## the same of three of them on encrypted files, beside C with SQLCipher (2 min, once built)
	@Scripts/install-dependencies sqlcipher
	@plugin=$$(Scripts/build-plugin) && $(BUILD_ENCRYPTED) run $(IN_ENCRYPTED_BENCHMARKS) $$plugin \
	  roost-bench-encrypted $(BENCH_FLAGS)

bench-growth: ## how much longer work takes with a hundred times as many rows (3 min)
	@$(MAKE) bench BENCH_FLAGS='--growth $(BENCH_FLAGS)'

bench-threads: ## rows a second of a writer and three readers beside each other (1 min)
	@$(MAKE) bench BENCH_FLAGS='--threads $(BENCH_FLAGS)'

bench-latency: ## how long after another process's commit observers know of it (30 s)
	@$(MAKE) bench BENCH_FLAGS='--latency $(BENCH_FLAGS)'

bench-memory: ## what a managed row, and walks over 1,000,000 rows, need in memory (30 s)
	@Scripts/install-dependencies sqlite
	@plugin=$$(Scripts/build-plugin) && \
	$(OPTIMISED) run $(IN_OPTIMISED) --package-path Benchmarks $$plugin roost-memory

build-benchmarks: build-plain-benchmarks build-encrypted-benchmarks ## the benchmarks, built and not run (first 8 min)

build-plain-benchmarks:
	@Scripts/install-dependencies sqlite
	@plugin=$$(Scripts/build-plugin) && $(OPTIMISED) build $(IN_OPTIMISED) --package-path Benchmarks $$plugin

build-encrypted-benchmarks:
	@Scripts/install-dependencies sqlcipher
	@plugin=$$(Scripts/build-plugin) && $(BUILD_ENCRYPTED) build $(IN_ENCRYPTED_BENCHMARKS) $$plugin

counts: ## instructions, allocations and retains of fourteen operations, within their thresholds (1 min, once built)
	@Scripts/install-dependencies sqlite counts
	@plugin=$$(Scripts/build-plugin) && \
	$(OPTIMISED) build $(IN_OPTIMISED) --package-path Benchmarks $$plugin --product roost-counts
	@Scripts/check-counts $(BUILD)/optimised/release/roost-counts $(COUNTS_FLAGS)

compile-time: ## how long models and predicates take to type-check (30 s, once built)
	@Scripts/install-dependencies sqlite
	@Scripts/compile-time

compile-failures: ## what must not compile, such as sending a model to another actor (2 s, once built)
	@Scripts/install-dependencies sqlite
	@$(REPLAN)
	@Scripts/compile-failures

sanitize: ## what decides about memory, under AddressSanitizer (1 min)
	@Scripts/install-dependencies sqlite
	@plugin=$$(Scripts/build-plugin) && \
	$(SANITIZED) test $(IN_SANITIZED) $$plugin

soak: ## the random tests, and those of several processes, for longer (an hour, and eight for synced devices)
	@Scripts/install-dependencies sqlite shell
	@$(REPLAN)
	ROOST_CASES=$(SOAK_CASES) ROOST_STEPS=$(SOAK_STEPS) ROOST_INTERLEAVINGS=$(SOAK_INTERLEAVINGS) ROOST_COMMITS=10000 \
	  $(SWIFT) test --filter "AgreementTests|GraphTests|SharedTests|TakenBackTests|KnownChangesTests|SeveralProcessesTests"
	@$(MAKE) simulate-sync SIMULATE_SCHEDULES=$(SOAK_SCHEDULES)
	ROOST_KILLS=$(SOAK_KILLS) $(MAKE) test-sync TEST_FLAGS='--filter KillTests'

format: ## lay out all Swift files
	$(SOURCES) | xargs -0 $(SWIFT) format --in-place --parallel

lint: ## what `format` would change, long comments, public declarations without documentation, names that leak, calls without a random test, references to a higher layer (10 s, once built)
	$(SOURCES) | xargs -0 $(SWIFT) format lint --strict --parallel
	@$(SOURCES) | xargs -0 Scripts/check-lines
	@Scripts/install-dependencies sqlite
	@$(REPLAN)
	@Scripts/symbol-graphs $(BUILD)/symbol-graphs
	@Scripts/check-docs $(BUILD)/symbol-graphs
	@Scripts/check-generators $(BUILD)/symbol-graphs
	@Scripts/check-names $(BUILD)/symbol-graphs "$$($(SWIFT) build --show-bin-path)"
	@Scripts/check-layers "$$($(SWIFT) build --show-bin-path)"

docs: ## the documentation as a web site in .build/docs (10 s, once built)
	@Scripts/install-dependencies sqlite
	@$(REPLAN)
	@Scripts/symbol-graphs $(BUILD)/symbol-graphs
	@Scripts/build-docs $(BUILD)/symbol-graphs $(BUILD)/docs
