// Pulumi provider for the management API of a managed-database platform.
package clouddb
