# The verbs of the project, over CMake. `make help` lists them.

PREFIX ?= /usr/local
CMAKE ?= cmake
CONFIGURE = @$(CMAKE) --log-level=WARNING >/dev/null

.DEFAULT_GOAL := build
.NOTPARALLEL: # packages are looked at or installed before anything is built; ninja and ctest use all cores
.PHONY: build build-tests build-asan build-fuzz build-tsan run quick test test-asan test-long fuzz bench docs install deb tarball clean format help page look look-test deps deps-test deps-docs deps-package

build: look build/build.ninja ## the program, at build/hamel, and both libraries; says which packages are missing, installs none
	@$(CMAKE) --build build --target product

run: deps build ## a tour: the default model, its classification, equations, proofs and motion
	@build/hamel tour

quick: look-test build/with-tests ## a contributor's minute: builds, then the unit, cli, docs and structure tests that take seconds
	@$(CMAKE) --build build --target hamel hamel_shared quick-tests
	@tools/run-tests --quick

test: deps-test build-tests build-asan build-fuzz ## every test: release, then ASan+UBSan, then a minute of fuzzing; ends in a count
	@tools/run-tests --release --asan --fuzz $(or $(FUZZ_SECONDS),60)

test-asan: deps-test build-asan ## the suite under ASan and UBSan
	@tools/run-tests --asan

test-long: deps-test build-tests build-asan build-fuzz build-tsan ## what test leaves out, and ten minutes of fuzzing: hours; tools/run-tests --long runs it in parts
	@$(CMAKE) --build build --target long-tests
	@$(CMAKE) --build build-asan --target long-tests
	@tools/run-tests --long --fuzz $(or $(FUZZ_SECONDS),600)

fuzz: deps-test build-fuzz ## fuzz every target for FUZZ_SECONDS (60)
	@tools/run-tests --fuzz $(or $(FUZZ_SECONDS),60)

bench: deps-test build ## the benchmarks of bench/
	@$(CMAKE) --build build --target benches
	@if [ -x bench/run ]; then bench/run build; else echo "bench/run is not there: no benchmarks yet"; fi

docs: deps-docs build ## the guide as a web site, in build/docs
	@tools/make-docs build/docs

install: build ## install under PREFIX (/usr/local); DESTDIR is honoured
	@$(CMAKE) --install build --prefix "$(PREFIX)"

deb: deps-package page ## Debian packages, in build/package; WEB=FOLDER takes a bundle made before, WEB=none none
	@tools/package/deb $(or $(WEB),build/web/bundle) build/package

tarball: deps-package page ## hamel-VERSION-linux-MACHINE.tar.gz, in build/package: runs where there is a C library
	@tools/package/tarball $(or $(WEB),build/web/bundle) build/package

clean: ## remove everything that was built
	rm -rf build build-asan build-clang build-coverage build-fuzz build-tsan

format: deps-test ## clang-format every C file
	@tools/layout --fix

help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-10s %s\n", $$1, $$2 }' Makefile

build-tests: deps-test build/with-tests
	@$(CMAKE) --build build

build-asan: deps-test page build-asan/build.ninja
	@$(CMAKE) --build build-asan

build-fuzz: deps-test build-fuzz/build.ninja
	@$(CMAKE) --build build-fuzz

build-tsan: deps-test build-tsan/build.ninja
	@$(CMAKE) --build build-tsan --target unit-t_threads unit-t_motion unit-t_field

page: $(if $(WEB),,build/build.ninja)
	@[ -n "$(WEB)" ] || $(CMAKE) --build build --target page

# Configured once; after that ninja itself configures again when CMakeLists.txt changes.
build/build.ninja: CMakePresets.json
	$(CONFIGURE) --preset release
	@touch $@

build/with-tests: build/build.ninja
	$(CONFIGURE) --preset release -DHAMEL_TESTS=ON
	@touch $@

build-asan/build.ninja: CMakePresets.json
	$(CONFIGURE) --preset asan -DHAMEL_WEB_BUNDLE=$(CURDIR)/build/web/bundle
	@touch $@

build-fuzz/build.ninja: CMakePresets.json
	$(CONFIGURE) --preset fuzz
	@touch $@

build-tsan/build.ninja: CMakePresets.json
	$(CONFIGURE) --preset tsan
	@touch $@

# DEPS=no leaves the system's packages alone, for those who have the libraries from elsewhere.
look:
	@[ "$(DEPS)" = no ] || tools/install-deps --look

look-test:
	@[ "$(DEPS)" = no ] || tools/install-deps --look --test

deps:
	@[ "$(DEPS)" = no ] || tools/install-deps

deps-test:
	@[ "$(DEPS)" = no ] || tools/install-deps --test

deps-docs:
	@[ "$(DEPS)" = no ] || tools/install-deps --docs

deps-package:
	@[ "$(DEPS)" = no ] || tools/install-deps --package
