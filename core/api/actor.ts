/** Who causes a change, as audit rows and listeners see it. A call is one; a job makes one of its user. */
export interface Actor {
  readonly site: { readonly blog_id: number; readonly network_id: number };
  /** null for nobody. */
  readonly user: { readonly id: number; readonly login: string } | null;
  readonly ip: string | null;
  readonly requestId: string | null;
}
