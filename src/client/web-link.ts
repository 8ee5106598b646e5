/** Temporal's dev server puts its Web UI this far above its port. */
const webUiOffset = 1000;

/** The page of a plan in Temporal's Web UI, or undefined if it is not known where that is (`TEMPORAL_UI_URL`). */
export function webLink(address: string, namespace: string, workflowId: string, uiUrl?: string): string | undefined {
  const base = uiUrl ? uiUrl.replace(/\/+$/, '') : localWebUi(address);
  return base && `${base}/namespaces/${encodeURIComponent(namespace)}/workflows/${encodeURIComponent(workflowId)}`;
}

function localWebUi(address: string): string | undefined {
  const [, port] = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\]):(\d+)$/.exec(address) ?? [];
  return port && `http://127.0.0.1:${Number(port) + webUiOffset}`;
}
